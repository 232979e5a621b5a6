"""`python -m touchline` is `touchline`."""

from touchline.cli.main import main

if __name__ == "__main__":
    main()
