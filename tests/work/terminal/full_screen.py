"""draws full-screen programs by curses, follows the keyboard and leaves the screen as it was"""

TERMINAL = True
PYTHON = """
import curses
def draw(screen):
    curses.start_color()
    screen.addstr(3, 5, "drawn in the middle")
    window = curses.newwin(5, 20, 10, 10)
    window.box()
    window.refresh()
    screen.refresh()
    curses.ungetch("q")
    return screen.getmaxyx(), screen.getch()
print(curses.wrapper(draw))
"""


def works(host, done):
    return "drawn in the middle" in done.out and "((24, 80), 113)" in done.out and "\x1b[?1049l" in done.out
