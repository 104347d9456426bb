import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { listen } from '../../../config/listen.ts';
import type { Provider } from '../../../domain/providers/port/provider.ts';
import { providers } from '../../../domain/providers/registry.ts';
import { type Sandbox, startSandbox } from '../../../scripts/sandbox/sandbox.ts';
import { openReceiver, type Receiver } from '../../scripts/sandbox/receiver.ts';
import { openDatabase } from '../../scripts/sandbox/support.ts';
import { type SandboxControl, sandboxControl } from '../../support/sandbox-control.ts';

export interface AdapterFixture extends AsyncDisposable {
  /** The account as the service opens it. */
  provider: Provider;
  /** Another account at the same provider, known to the sandbox too. */
  stranger: Provider;
  /** The account with credentials the provider does not know. */
  impostor: Provider;
  control: SandboxControl;
  sandbox: Sandbox;
  receiver: Receiver;
  newReference(): string;
  now(): Date;
  pass(ms: number): Promise<void>;
}

export interface FixtureOptions {
  adapter: string;
  /** New credentials of one account, as the adapter and the sandbox both name them. */
  newCredentials(): Record<string, string>;
}

export async function openAdapterFixture({
  adapter,
  newCredentials,
}: FixtureOptions): Promise<AdapterFixture> {
  const database = await openDatabase();
  let passedMs = 0;
  const clock = () => new Date(Date.now() + passedMs);
  const sandbox = await startSandbox({ sql: database.sql, port: 0, now: clock, random: () => 0 });
  const receiver = await openReceiver();
  const baseUrl = `${sandbox.url}/${adapter}`;
  const { open } = providers[adapter]!;
  const [own, other] = [newCredentials(), newCredentials()];
  await register(sandbox, { provider: adapter, ...own, notification_url: receiver.url });
  await register(sandbox, { provider: adapter, ...other });
  return {
    provider: open({ credentials: own, baseUrl, clock, mode: 'live' }),
    stranger: open({ credentials: other, baseUrl, clock, mode: 'live' }),
    impostor: open({ credentials: newCredentials(), baseUrl, clock, mode: 'live' }),
    control: sandboxControl(sandbox.url),
    sandbox,
    receiver,
    newReference: () => `SV-${100_001 + made++}-${randomBytes(4).toString('hex')}`,
    now: clock,
    async pass(ms) {
      passedMs += ms;
      await sandbox.tick();
    },
    async [Symbol.asyncDispose]() {
      await sandbox.close();
      await receiver[Symbol.asyncDispose]();
      await database.close();
    },
  };
}

let made = 0;

export async function closedAddress(): Promise<string> {
  const { port, [Symbol.asyncDispose]: close } = await listen(createServer(), 0, '127.0.0.1');
  await close();
  return `http://127.0.0.1:${port}`;
}

async function register(sandbox: Sandbox, account: object): Promise<void> {
  const response = await fetch(`${sandbox.url}/_control/accounts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(account),
  });
  if (!response.ok) throw new Error(await response.text());
}
