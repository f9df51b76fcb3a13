"""runs children, servers, timers and signals in one loop of asyncio"""

PYTHON = """
import asyncio, os, signal
async def echo(reader, writer):
    writer.write((await reader.readline()).upper())
    writer.close()
async def main():
    heard = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, heard.set)
    server = await asyncio.start_server(echo, "127.0.0.1", 0)
    reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
    writer.write(b"hello\\n")
    print((await reader.read()).decode().strip())
    local = await asyncio.start_unix_server(echo, "echo.sock")
    reader, writer = await asyncio.open_unix_connection("echo.sock")
    writer.write(b"local\\n")
    print((await reader.read()).decode().strip())
    children = [await asyncio.create_subprocess_exec("sh", "-c", f"echo {n}; exit {n}", stdout=-1) for n in range(5)]
    print([((await c.communicate())[0].decode().strip(), c.returncode) for c in children][-1])
    os.kill(os.getpid(), signal.SIGUSR1)
    await asyncio.wait_for(heard.wait(), 60)
    print(await asyncio.to_thread(lambda: "thread"))
asyncio.run(main())
"""


def works(host, done):
    return done.status == 0 and done.out == "HELLO\nLOCAL\n('4', 4)\nthread\n"
