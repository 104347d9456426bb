import { execFile, spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { listen } from '../../../config/listen.ts';
import { placeFile } from '../../../scripts/deployment/files.ts';
import { freePort } from '../../../scripts/local/free-port.ts';
import { type ReceivedMail, startMailbox } from '../../../scripts/local/mailbox.ts';
import { readAlerts } from '../../support/alert-rules.ts';
import { killed } from '../../support/killed.ts';
import { RARELY_MS, until } from '../../support/until.ts';

const root = new URL('../../../', import.meta.url);
const check = promisify(execFile);
const isThere = (tool: string) => spawnSync(tool, ['--version'], { stdio: 'ignore' }).status === 0;

const alertmanager = ['prometheus-alertmanager', 'alertmanager'].find(isThere);

describe('The alerts of config/deploy', function () {
  this.timeout(60_000);
  let dir: string;
  before(async function () {
    if (!alertmanager || !isThere('promtool') || !isThere('amtool')) {
      process.stdout.write('\n*** No promtool, amtool or alertmanager: alerts are SKIPPED. ***\n');
      return this.skip();
    }
    dir = await mkdtemp(join(tmpdir(), 'payments-alerts-'));
  });
  after(() => dir && rm(dir, { recursive: true, force: true }));

  const placed = (name: string, places: Record<string, string>) =>
    placeFile(`config/deploy/${name}`, dir, places);

  it('have configurations that Prometheus and Alertmanager read', async () => {
    const secret = join(dir, 'operator_password');
    await writeFile(secret, 'open');
    const prometheus = await placed('prometheus.yml', {
      '/etc/prometheus/observability': fileURLToPath(new URL('config/observability', root)),
      '/run/secrets/operator_password': secret,
    });
    const { stdout } = await check('promtool', ['check', 'config', prometheus]);
    expect(stdout).to.include('SUCCESS');
    await check('amtool', [
      'check-config',
      fileURLToPath(new URL('config/deploy/alertmanager/alertmanager.yml', root)),
    ]);
  });

  it('reach people: what fires is mailed, and said in the chat that the secret names', async () => {
    await using scope = new AsyncDisposableStack();
    const messages: any[] = [];
    const chat = createServer(async (request, response) => {
      messages.push(await json(request));
      response.end('ok');
    });
    const { port: chatPort } = scope.use(await listen(chat, 0, '127.0.0.1'));
    const mailbox = scope.use(await startMailbox(0));
    const secret = join(dir, 'alert_webhook_url');
    await writeFile(secret, `http://127.0.0.1:${chatPort}/services/hook`);
    const config = await placed('alertmanager/alertmanager.yml', {
      '/run/secrets/alert_webhook_url': secret,
      'group_wait: 10s': 'group_wait: 100ms',
      'mail.example.com:587': `${new URL(mailbox.url).host}\n  smtp_require_tls: false`,
    });
    const port = await freePort();
    const server = spawn(
      alertmanager!,
      [
        `--config.file=${config}`,
        `--storage.path=${join(dir, 'alertmanager')}`,
        `--web.listen-address=127.0.0.1:${port}`,
        '--cluster.listen-address=',
      ],
      { stdio: 'ignore' },
    );
    scope.defer(() => killed(server));
    const alerts = await readAlerts();
    const { alert, labels, annotations } = alerts.find((rule) => rule.alert === 'WorkersDown')!;
    const fired = JSON.stringify([{ labels: { alertname: alert, ...labels }, annotations }]);
    const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: fired };
    const url = `http://127.0.0.1:${port}/api/v2/alerts`;
    const isTaken = async () => (await fetch(url, post).catch(() => undefined))?.ok;
    await until('Alertmanager', isTaken, RARELY_MS);
    await until('the message', async () => messages.length > 0, RARELY_MS);
    await until('the mail', async () => mailbox.mails.length > 0, RARELY_MS);
    const [{ title, text }] = messages[0].attachments;
    const [mail] = mailbox.mails as [ReceivedMail];
    for (const subject of [title, mail.subject])
      expect(subject).to.equal('FIRING WorkersDown (page)');
    for (const body of [text, mail.text])
      for (const said of Object.values(annotations)) expect(body).to.include(said);
    expect([mail.from, mail.to]).to.deep.equal([
      'Payments <payments@example.com>',
      'operators@example.com',
    ]);
  });
});
