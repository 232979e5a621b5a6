"""The rules of the three games a second time: slow, plain, and written from the rule books alone."""
