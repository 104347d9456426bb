import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import openapiTS, { astToString } from 'openapi-typescript';
import { nodePackage } from '../../../api/clients/node-package.ts';
import { tarballOf } from '../../../api/clients/tarball.ts';
import { openApiOf } from '../../../api/openapi/document.ts';
import { routes } from '../../../api/routes.ts';
import { amountOfEvent, openApi } from '../../support/openapi.ts';
import { rawRequest } from '../../support/raw-http.ts';
import { useStack } from '../../support/stack.ts';
import { modules, runFile, useShop } from './given.ts';

const program = `
import { ApiError, cursorFile, Payments, type Event, type Transaction, verifyWebhook } from 'payment-collection-client';

const payments = new Payments({ key: 'svc_sk_test_x' });
const charge = await payments.charges.create(
  { amount_kobo: 3_000_000_000, email: 'ada@example.com', metadata: { order_id: 1042, gift: true, note: null } },
  { idempotencyKey: 'order-1042' },
);
export const reference: string = charge.reference;
for await (const transaction of payments.transactions.list({ status: ['succeeded'], limit: 10 })) {
  const { amount_kobo }: Transaction = transaction;
  amount_kobo.toFixed();
}
for await (const event of payments.events.follow({ store: cursorFile('cursor'), from: 'now' })) amountOf(event);
const { next_cursor, tenant_id } = await payments.refunds.list().page();
export const shown: string = next_cursor ?? tenant_id;
try {
  await payments.business.setLogo(new Blob([]));
} catch (error) {
  if (error instanceof ApiError && error.code === 'validation_failed') error.fields.image?.trim();
}
amountOf(verifyWebhook('{}', new Headers(), ['whsec_x']));

// @ts-expect-error an amount is a number
payments.charges.create({ amount_kobo: '3000000000', email: 'ada@example.com' });
// @ts-expect-error no transaction has this status
payments.transactions.list({ status: ['paid'] });
// @ts-expect-error reading takes no such key
payments.charges.get('SV-100001', { idempotencyKey: 'x' });
// @ts-expect-error an environment variable may be missing
new Payments({ key: process.env.PAYMENTS_KEY });

${amountOfEvent('Event')}`;

describe('The package of the Node client', () => {
  const stack = useStack({ workers: false });
  const shop = useShop(stack);
  const address = () => `${stack.origin}/clients/node.tgz`;

  const compile = async (...options: string[]) => {
    const strict =
      '--noEmit --strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --target es2022 --module nodenext --types node';
    const { stdout } = await runFile(
      join(modules, '.bin/tsc'),
      [...strict.split(' '), '--typeRoots', join(modules, '@types'), ...options],
      { cwd: shop.folder },
    ).catch((error: { stdout: string }) => error);
    return stdout;
  };

  it('has the version of the service and no dependency, and asks the deployment it comes from', async () => {
    const manifest = JSON.parse(await readFile(join(shop.installed, 'package.json'), 'utf8'));
    const service = new URL('../../../package.json', import.meta.url);
    const { version } = JSON.parse(await readFile(service, 'utf8'));
    expect(manifest).to.include({ name: 'payment-collection-client', version });
    expect(Object.keys(manifest)).not.to.include.members(['dependencies', 'peerDependencies']);
    const { baseUrl } = await import(join(shop.installed, 'deployment.js'));
    expect(baseUrl).to.equal(stack.baseUrl);
    const readme = await readFile(join(shop.installed, 'README.md'), 'utf8');
    expect(readme).to.include(`npm install ${stack.origin}/clients/node.tgz`);
  });

  it('is installed by npm from its address', async () => {
    const options = ['--no-audit', '--no-fund', '--no-save', '--prefix', shop.folder];
    await runFile('npm', ['install', ...options, address()]);
    await writeFile(
      join(shop.folder, 'installed.mjs'),
      `import { Payments } from 'payment-collection-client'; console.log(typeof Payments);`,
    );
    const { stdout } = await runFile(process.execPath, [join(shop.folder, 'installed.mjs')]);
    expect(stdout).to.equal('function\n');
  });

  it('is the same bytes each time, and not sent again while they are', async () => {
    const first = await fetch(address());
    expect(first.headers.get('content-type')).to.equal('application/gzip');
    expect(first.headers.get('cache-control')).to.equal('public, max-age=0, must-revalidate');
    const etag = first.headers.get('etag')!;
    const ask = (held: string) =>
      rawRequest(stack, { path: '/clients/node.tgz', headers: { 'if-none-match': held } });
    const again = await ask(etag);
    expect([again.status, again.text]).to.deep.equal([304, '']);
    expect((await ask('"older"')).status).to.equal(200);
    const packed = tarballOf(nodePackage(openApiOf(routes, stack.origin), stack.origin));
    expect(Buffer.from(await first.arrayBuffer())).to.deep.equal(packed);
  });

  it('compiles in a strict project, and refuses what the API would', async () => {
    await writeFile(join(shop.folder, 'program.ts'), program);
    expect(await compile('program.ts')).to.equal('');
  });

  it('is itself written by its types', async () => {
    const found = await readdir(shop.installed, { recursive: true });
    const files = found.filter((file) => file.endsWith('.js'));
    expect(files).to.include('transport.js');
    const lax = ['--noImplicitAny', 'false', '--exactOptionalPropertyTypes', 'false'];
    const paths = files.map((file) => join(shop.installed, file));
    expect(await compile('--allowJs', '--checkJs', ...lax, ...paths)).to.equal('');
  });

  it('has the types that openapi-typescript makes of the document', async () => {
    const theirs = await openapiTS(withoutOpenEnds(openApi) as never, {
      defaultNonNullable: false,
    });
    await writeFile(join(shop.folder, 'theirs.ts'), astToString(theirs));
    const checks = Object.keys(openApi.components.schemas).map(
      (name) => `same<Ours.${name}, Theirs['${name}']>(true);`,
    );
    const file = [
      "import type * as Ours from 'payment-collection-client';",
      "import type { components } from './theirs.js';",
      "type Theirs = components['schemas'];",
      'type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;',
      'declare function same<A, B>(is: Same<A, B>): void;',
      ...checks,
    ];
    await writeFile(join(shop.folder, 'same.ts'), file.join('\n'));
    expect(checks.length).to.be.greaterThan(50);
    expect(await compile('same.ts')).to.equal('');
  });
});

/** Answers may have fields that are not named yet: no type of ours says so. */
function withoutOpenEnds(document: object): object {
  return JSON.parse(JSON.stringify(document), (name, value) =>
    name === 'additionalProperties' && typeof value === 'boolean' ? undefined : value,
  );
}
