"""What can be read off a JavaScript source without running it: syntax, bindings, and what expressions stand for.

Covered: text of any size, depth and encoding, in time linear in it. Not covered: anything that only a run can tell.
These are signals for a person and a reward; they keep nobody out of anything.
"""
