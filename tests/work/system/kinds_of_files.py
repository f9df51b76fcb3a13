"""asks Python what kind a file is by its name, as servers and mailers do"""

NEEDS = {"/etc/mime.types": "media-types"}
PYTHON = """
import mimetypes
print(*(mimetypes.guess_type("a." + ending)[0] for ending in ("html", "png", "md", "docx", "rs", "yaml")))
"""


def works(host, done):
    import mimetypes

    return done.out.split() == [str(mimetypes.guess_type(f"a.{ending}")[0]) for ending in ("html", "png", "md", "docx", "rs", "yaml")]
