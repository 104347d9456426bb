import { execFile } from 'node:child_process';
import { mkdtempDisposable, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import openapiTS, { astToString } from 'openapi-typescript';
import { amountOfEvent, openApi } from '../../support/openapi.ts';
import { useStack } from '../../support/stack.ts';

const run = promisify(execFile);
const modules = fileURLToPath(new URL('../../../node_modules', import.meta.url));

/** More kobo than 32 bits hold. */
const AMOUNT_KOBO = 3_000_000_000;

const program = `
import { argv } from 'node:process';
import createClient from 'openapi-fetch';
import type { components, paths } from './api.ts';

const [, , baseUrl, key] = argv;
const api = createClient<paths>({ baseUrl: baseUrl!, headers: { Authorization: \`Bearer \${key}\` } });

const body: components['schemas']['CreateChargeBody'] = {
  amount_kobo: ${AMOUNT_KOBO},
  email: 'ada@example.com',
  metadata: { order_id: 1042, gift: true, note: null },
};
const created = await api.POST('/charges', { body, params: { header: { 'Idempotency-Key': 'one' } } });
if (!created.data) throw new Error(created.error.error.message);
const { reference } = created.data;
const read = await api.GET('/charges/{reference}', { params: { path: { reference } } });
const refused = await api.POST('/charges', { body: { ...body, amount_kobo: 1 } });
const listed = await api.GET('/transactions', { params: { query: { status: ['initiated'], limit: 1 } } });

// @ts-expect-error an amount is a number
const text: components['schemas']['CreateChargeBody'] = { amount_kobo: '3000000000', email: '' };
// @ts-expect-error no transaction has this status
await api.GET('/transactions', { params: { query: { status: ['paid'], limit: 1 } } });

${amountOfEvent("components['schemas']['Event']")}
console.log(
  JSON.stringify({
    created: created.data.amount_kobo,
    read: read.data?.amount_kobo,
    transaction: listed.data?.data[0]?.reference === reference,
    refused: refused.error?.error.fields,
  }),
);
`;

describe('A client of openapi-typescript and openapi-fetch', () => {
  const stack = useStack({ workers: false });

  it('compiles, and creates and reads a charge of 3,000,000,000 kobo', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'openapi-client-'));
    const types = astToString(await openapiTS(structuredClone(openApi) as never));
    await writeFile(join(folder.path, 'api.ts'), types);
    await writeFile(join(folder.path, 'program.ts'), program);
    await writeFile(join(folder.path, 'package.json'), '{ "type": "module" }');
    await symlink(modules, join(folder.path, 'node_modules'));
    const options =
      '--noEmit --strict --target esnext --module nodenext --types node --skipLibCheck';
    const compiled = await run(
      join(modules, '.bin/tsc'),
      [...options.split(' '), '--allowImportingTsExtensions', 'program.ts'],
      { cwd: folder.path },
    ).catch((error: { stdout: string }) => error);
    expect(compiled.stdout).to.equal('');
    const { stdout } = await run(
      process.execPath,
      ['program.ts', stack.baseUrl, stack.tenant.secret_key_test],
      { cwd: folder.path },
    );
    expect(JSON.parse(stdout)).to.deep.equal({
      created: AMOUNT_KOBO,
      read: AMOUNT_KOBO,
      transaction: true,
      refused: { amount_kobo: 'must be at least 100 naira (10000 kobo)' },
    });
  });
});
