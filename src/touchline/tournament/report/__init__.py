"""Reports of a cup, made from its ledger.

data.py            compute everything that is reported, with decisions.py, rounds.py and terms.py
html.py            write it as one page, from html_standings.py, html_games.py, charts.py, bracket.py
films.py           the positions of games, which viewer.py and viewer.js replay in the page
csv_export.py      a row of CSV for each game
folder_export.py   everything as plain files
"""

from touchline.tournament.report.csv_export import write_csv
from touchline.tournament.report.data import Report, build_report
from touchline.tournament.report.folder_export import write_folder
from touchline.tournament.report.html import html_page

__all__ = ["Report", "build_report", "html_page", "write_csv", "write_folder"]
