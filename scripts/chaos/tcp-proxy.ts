import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export type TcpProxy = Awaited<ReturnType<typeof openTcpProxy>>;

/** Starts a proxy to a server, or to several in turn: the next where one takes no connection. */
export async function openTcpProxy(...targets: [string, ...string[]]) {
  const open = new Set<Socket>();
  let leadsTo: string[] = targets;
  let turn = 0;
  let isCut = false;
  let answer: string | Buffer | undefined;
  const endAll = () => {
    for (const socket of open) socket.destroy();
  };
  const track = (socket: Socket) => {
    open.add(socket);
    socket.on('error', () => {}).on('close', () => open.delete(socket));
  };
  const server = createServer((near) => {
    if (isCut) return void near.destroy();
    track(near);
    const bytes = answer;
    if (bytes !== undefined) return void near.once('data', () => near.end(bytes));
    turn++;
    const order = leadsTo.map((_, n) => leadsTo[(turn + n) % leadsTo.length]!);
    return void connectToFirst(order, near, track);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(targets[0]);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as { port: number }).port);
  const cut = () => {
    isCut = true;
    endAll();
  };
  return {
    url: url.href,
    cut,
    /** Lets nothing more through on open connections; new ones work. */
    silence: () => {
      for (const socket of open) socket.unpipe().pause();
    },
    /** Ends every connection, and answers whatever is sent on new ones with these bytes. */
    answer: (bytes: string | Buffer) => {
      answer = bytes;
      endAll();
    },
    mend: () => {
      isCut = false;
      if (answer !== undefined) endAll();
      answer = undefined;
    },
    /** New connections lead to these servers in turn; open ones are ended. */
    leadTo: (...next: string[]) => {
      leadsTo = next;
      endAll();
    },
    async [Symbol.asyncDispose]() {
      cut();
      server.close();
    },
  };
}

function connectToFirst(
  [target, ...others]: string[],
  near: Socket,
  track: (socket: Socket) => void,
): void {
  if (target === undefined) return void near.destroy();
  const far = connectTo(target);
  track(far);
  let isConnected = false;
  far.once('connect', () => {
    isConnected = true;
    near.pipe(far);
    far.pipe(near);
  });
  far.once('close', () =>
    isConnected || near.destroyed ? near.destroy() : connectToFirst(others, near, track),
  );
  near.once('close', () => far.destroy());
}

function connectTo(target: string): Socket {
  const { hostname, port } = new URL(target);
  const folder = decodeURIComponent(hostname);
  return folder.startsWith('/')
    ? connect(`${folder}/.s.PGSQL.${port}`)
    : connect(Number(port), hostname);
}
