"""The page in Debian's Chromium. A package, so that its browser and server end with its last test."""
