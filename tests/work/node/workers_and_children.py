"""uses workers, children, clusters, WebAssembly and signals of node"""

NEEDS = {"node": "nodejs"}
ACT = """cat > m.js <<'END'
const { execFileSync, fork, spawn } = require('child_process');
const { Worker } = require('worker_threads');
const cluster = require('cluster');
(async () => {
  if (process.argv[2] === 'child') return process.send({ got: 'fork' }, () => process.exit(0));
  if (cluster.isWorker) return require('net').createServer(c => c.end('cluster')).listen(0, '127.0.0.1', function () { process.send(this.address().port); });
  console.log(execFileSync('sh', ['-c', 'echo exec']).toString().trim());
  console.log((await new Promise(r => fork(__filename, ['child']).on('message', r))).got);
  console.log(await new Promise(r => new Worker('require("worker_threads").parentPort.postMessage("worker")', { eval: true }).on('message', r)));
  const one = cluster.fork();
  const port = await new Promise(r => one.on('message', r));
  console.log(await new Promise(r => require('net').connect(port, '127.0.0.1').on('data', d => r(String(d)))));
  one.kill();
  const bytes = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 127, 3, 2, 1, 0, 7, 5, 1, 1, 102, 0, 0, 10, 6, 1, 4, 0, 65, 42, 11);
  console.log((await WebAssembly.instantiate(bytes)).instance.exports.f());
  const slow = spawn('sleep', ['1000']);
  slow.on('exit', (code, signal) => console.log(signal));
  slow.kill();
})();
END
node m.js"""


def works(host, done):
    return done.status == 0 and done.out.split() == ["exec", "fork", "worker", "cluster", "42", "SIGTERM"]
