import { createSocket } from 'node:dgram';
import { once } from 'node:events';

export type NameAnswer =
  | { ipv4: string; ttl: number }
  | 'no such name'
  | 'server failure'
  | 'silent';

export interface NameServer extends AsyncDisposable {
  address: string;
  /** Every question, as `A name` or `AAAA name`. */
  asked: string[];
}

const A = 1;
const CODES = { 'no such name': 3, 'server failure': 2 };

export async function startNameServer(answerTo: (name: string) => NameAnswer): Promise<NameServer> {
  const asked: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, client) => {
    const { name, type, question } = read(query);
    asked.push(`${type === A ? 'A' : 'AAAA'} ${name}`);
    const answer = answerTo(name);
    if (answer === 'silent') return;
    const code = typeof answer === 'string' ? CODES[answer] : 0;
    const records = typeof answer === 'string' || type !== A ? [] : [recordOf(answer)];
    const head = Buffer.alloc(12);
    query.copy(head, 0, 0, 2); // the id of the query
    head.writeUInt16BE(0x8180 | code, 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(records.length, 6);
    socket.send(Buffer.concat([head, question, ...records]), client.port, client.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    async [Symbol.asyncDispose]() {
      socket.close();
      await once(socket, 'close');
    },
  };
}

/** The question of a query: labels with their lengths, a zero, the type and the class. */
function read(query: Buffer) {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return {
    name: labels.join('.').toLowerCase(),
    type: query.readUInt16BE(at + 1),
    question: query.subarray(12, at + 5),
  };
}

function recordOf({ ipv4, ttl }: { ipv4: string; ttl: number }): Buffer {
  const record = Buffer.alloc(16);
  record.writeUInt16BE(0xc00c, 0);
  record.writeUInt16BE(A, 2);
  record.writeUInt16BE(1, 4);
  record.writeUInt32BE(ttl, 6);
  record.writeUInt16BE(4, 10);
  record.set(ipv4.split('.').map(Number), 12);
  return record;
}
