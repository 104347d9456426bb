import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { freePort } from '../../scripts/local/free-port.ts';
import { SECOND } from '../support/clock.ts';
import { unescaped } from '../support/html.ts';
import { killed } from '../support/killed.ts';
import { rawRequest } from '../support/raw-http.ts';
import { useStack } from '../support/stack.ts';
import { RARELY_MS, until } from '../support/until.ts';

/** Each command of the page, and what it prints before the next is typed. */
function commandsOf(html: string) {
  const figures =
    /<figcaption>Terminal(?:, until it prints <samp>(.*?)<\/samp>)?<\/figcaption><pre[^>]*><code class="command">(.*?)<\/code>/gs;
  return [...html.matchAll(figures)].map(([, printed = '', command]) => ({
    command: unescaped(command!),
    printed,
  }));
}

describe('The quickstart', () => {
  const stack = useStack();

  it('leads from an empty folder to a verified webhook of a paid charge, typed as printed', async function () {
    this.timeout(300_000);
    const { text } = await rawRequest(stack, { path: '/docs/quickstart' });
    const commands = commandsOf(text);
    expect(commands).to.have.length(text.match(/<pre/g)!.length);
    await using shell = await openShell();
    for (const { command, printed } of commands) {
      const ended = await shell.type(command, /^read/.test(command) ? [key()] : []);
      expect(ended, `${command}\n${shell.printed()}`).to.equal('0');
      // Its customer acts by the clock of the stack.
      await until(
        `${printed} after ${command}`,
        actUntil(() => shell.printed().includes(printed)),
      );
    }

    const [charge, ...more] = await stack.sql<{ number: string }>`select number from charges
      where tenant_id = ${stack.tenant.tenant_id} and merchant_reference is not null`;
    expect(more).to.deep.equal([]);
    expect(shell.printed())
      .to.include(`Verified: charge.succeeded SV-${charge!.number}, 250000 kobo`)
      .and.match(/"object":"refund".*"amount_kobo":100000.*"status":"requested"/);
  });

  const key = () => stack.tenant.secret_key_test;

  const actUntil = (isDone: () => boolean) => async () => {
    if (isDone()) return true;
    stack.clock.advance(SECOND / 2);
    await stack.settle();
    return false;
  };

  /** A terminal in an empty folder, whose jobs are groups of their own, as in every terminal. */
  async function openShell() {
    const folder = await mkdtemp(join(tmpdir(), 'quickstart-'));
    const quiet = { audit: 'false', fund: 'false', update_notifier: 'false' };
    const npm = Object.entries(quiet).map(([name, value]) => [`npm_config_${name}`, value]);
    const child = spawn('bash', {
      cwd: folder,
      detached: true,
      env: {
        ...{ PATH: process.env.PATH!, HOME: folder, PORT: String(await freePort()) },
        ...Object.fromEntries(npm),
      },
    });
    child.stdin.write('set -m\n');
    let printed = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        printed += chunk;
      });
    let typed = 0;
    return {
      printed: () => printed,
      /** Types a command, with what it reads; resolves with its exit code. */
      async type(command: string, read: readonly string[]) {
        typed += 1;
        child.stdin.write([command, ...read, `echo "Command ${typed} ended: $?"`, ''].join('\n'));
        const ended = new RegExp(`Command ${typed} ended: (\\d+)`);
        const [, code] = await until(command, async () => ended.exec(printed), RARELY_MS);
        return code;
      },
      async [Symbol.asyncDispose]() {
        child.stdin.end('for job in $(jobs -p); do kill -- "-$job"; done; exit\n');
        const signal = AbortSignal.timeout(5 * SECOND);
        await once(child, 'exit', { signal }).catch(() => killed(child));
        await rm(folder, { recursive: true, force: true });
      },
    };
  }
});
