"""The languages of `touchline new bot`. It imports nothing, because `touchline --help` reads it."""

from __future__ import annotations

LANGUAGES = ("python", "javascript", "typescript", "c", "cpp", "rust", "java", "go")
