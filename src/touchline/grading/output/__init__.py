"""What grading writes, one file each.

folder.py        the folder with all of it; what stands in it already
gradescope.py    results.json for Gradescope
junit.py         JUnit XML
spreadsheet.py   grades.csv
student_page.py  the page of a student
staff_page.py    the index for staff
html.py          what both pages share
words.py         a step in lines of plain text
"""
