import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ID_EXAMPLE } from '../../api/http/schema.ts';
import { beyondSchemas } from '../../api/openapi/beyond-schemas.ts';
import { tagOf } from '../../api/openapi/tags.ts';
import { routes } from '../../api/routes.ts';
import { entries } from '../api/access-table.ts';
import { keysOf } from '../support/members.ts';
import { nameOf } from '../support/route-calls.ts';
import { type Stack, useStack } from '../support/stack.ts';
import { command, orSkipped, writeDocument } from './tools.ts';

const SCHEMATHESIS = 'schemathesis==4.32.5';

/** Its own check of what must be accepted knows no reasons; ours is in requests.py. */
const RUN =
  'schemathesis.cli run openapi.json --phases examples,coverage,fuzzing --max-examples 20 ' +
  '--generation-deterministic --no-shrink --continue-on-failure --exclude-checks positive_data_acceptance --no-color ' +
  '--report json --report-json-path report.json';

describe('Requests that Schemathesis makes of the OpenAPI document', () => {
  // Deliveries wait in their queue: their addresses are made up.
  const stack = useStack({ workers: false, books: false });

  it('are answered as it says: 5,000, with keys of all kinds', async function () {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'schemathesis-'));
    const file = (name: string) => join(folder.path, name);
    const python = (...more: string[]) =>
      command(folder.path, 'python3', ['-m', ...more], {
        PYTHONPATH: file('built'),
        SCHEMATHESIS_HOOKS: join(import.meta.dirname, 'requests.py'),
        PLAN: file('plan.json'),
      });
    const pip = ['pip', 'install', '--quiet', '--disable-pip-version-check', '--target', 'built'];
    const installed = await orSkipped('Schemathesis', () =>
      python(...pip, SCHEMATHESIS).then(() => true),
    );
    if (!installed) this.skip();
    await writeFile(file('plan.json'), JSON.stringify(await planOf(stack)));
    // A business that demands an authenticator signs out whoever has none.
    await stack.sql`update members set totp_enrolled_at = ${stack.clock()}`;
    // A slot that a request frees may be taken again: then the provider is asked.
    for (const [adapter, urls] of Object.entries(stack.context.env.baseUrls))
      urls.test = `${stack.sandbox.url}/${adapter}`;
    const ids = await idsOf(stack);
    await writeFile(file('schemathesis.toml'), configOf(ids));
    const document = await writeDocument(folder.path, stack.baseUrl);
    await writeFile(document, withExamples(await readFile(document, 'utf8'), ids));
    await python(...RUN.split(' '), '--url', stack.baseUrl);
    const { test_cases } = JSON.parse(await readFile(file('report.json'), 'utf8'));
    expect(test_cases.generated).to.be.at.least(5_000);
  });
});

/** By operation, as Schemathesis names it: the keys that may call it, and what it may refuse. */
async function planOf(stack: Stack) {
  const keys = await keysOf(stack, stack.tenant, 'test');
  const plans = routes.map((route) => {
    const { may } = entries[nameOf(route)]!;
    const refusable = beyondSchemas
      .filter(({ operations }) => operations?.includes(route.operationId) ?? true)
      .flatMap(({ fields }) => fields);
    return [
      nameOf(route).replace(/:(\w+)/, '{$1}'),
      { keys: may === 'anyone' ? [null] : may.map((role) => keys[role]), refusable },
    ];
  });
  return Object.fromEntries(plans);
}

/** What exists, by the first segment of its path. */
async function idsOf(stack: Stack): Promise<Map<string, string[]>> {
  const ids = new Map<string, string[]>();
  for (const [name, { subject, own }] of Object.entries(entries)) {
    const id = await (subject ?? own)?.(stack);
    const tag = tagOf(name);
    if (id !== undefined) ids.set(tag, [...(ids.get(tag) ?? []), id]);
  }
  return ids;
}

const withExamples = (document: string, ids: Map<string, string[]>) =>
  [...ids.values()].reduce(
    (text, [id = '']) => text.replaceAll(id.replace(/_.*/, `_${ID_EXAMPLE}`), id),
    document,
  );

/** Most paths name what exists, and not what answers show: the keys in use are among it. */
function configOf(ids: Map<string, string[]>): string {
  const phases = ['examples', 'coverage', 'fuzzing'].map(
    (phase) => `[phases.${phase}]\nextra-data-sources = { responses = false }`,
  );
  const tags = [...ids].map(([tag, values]) => {
    const name = { charges: 'reference', statements: 'month' }[tag] ?? 'id';
    return (
      `[dictionaries.${tag}]\nvalues = ${JSON.stringify(values)}\n` +
      `[[operations]]\ninclude-tag = "${tag}"\n` +
      `parameters = { "path.${name}" = { dictionary = "${tag}", probability = 0.8 } }`
    );
  });
  // Without a key, a method that an address does not have is 401.
  const noKey = '[[operations]]\ninclude-tag = "auth"\nchecks.unsupported_method.enabled = false';
  return [...phases, ...tags, noKey].join('\n');
}
