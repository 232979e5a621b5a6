"""Grading: a rubric for coursework, run on submissions that nobody trusts.

rubric.py       the staff's TOML file, read and validated into one value
standard.py     what a step needs for its points, and how many points a result is worth
submissions.py  what was handed in, and by whom
grades.py       the grade of a submission: steps, games, checks, reasons
reasons.py      offences and results in plain words: what happened, and what was expected
starting.py     whether a program can be started, and whose fault it is if not
checks.py       a step of compliance checks
games.py        a step of games against house players or reference solutions
worker.py       grade one submission: bytes in, bytes out
trial.py        let the reference solutions play before anything is graded
run.py          grade all submissions, several at a time, and resume
output/         Gradescope's results.json, JUnit XML, CSV, a page per student and one for staff
"""
