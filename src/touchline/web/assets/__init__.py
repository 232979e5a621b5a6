"""How the page's files reach a browser: bundled, minimised, compressed and named by their content."""
