"""A transport: `lane:///PATH.sock`, a Unix domain socket under another name."""

from touchline.transports.unix import Unix


class Lane(Unix):
    """Listen and connect as `unix` does."""

    scheme = "lane"
