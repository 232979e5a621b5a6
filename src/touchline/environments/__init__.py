"""Games as environments of other libraries: PettingZoo for all seats, Gymnasium for one.

`pip install 'touchline[pettingzoo]'` installs both libraries. Nothing is imported before it is asked for.
"""
