"""talks to a server by a protocol of its own, and sends a mail"""

LAB = True
OPTIONS = {"hosts": ["streams.rwlab.net:9000", "mail.rwlab.net:25"]}
PYTHON = """
import smtplib, socket
with socket.create_connection(("streams.rwlab.net", 9000)) as line:
    line.sendall(b"to and fro")
    print(line.recv(100).decode())
mail = smtplib.SMTP("mail.rwlab.net")
print(mail.sendmail("a@rwlab.net", ["b@rwlab.net"], "hello"))
mail.quit()
"""


def works(host, done):
    return done.status == 0 and done.out == "to and fro\n{}\n"
