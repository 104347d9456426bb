import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { entities } from '../domain/entities.ts';
import {
  fileCyclesOf,
  folderCyclesOf,
  foreignSqlOf,
  foreignStatusWritesOf,
  importsOf,
  layers,
  ownersOf,
  readSources,
  type Source,
  violationsOf,
} from './support/architecture.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

describe('The architecture', () => {
  let sources: Source[];
  before(async () => {
    sources = await readSources(root);
  });

  it('is read from files of every layer', () => {
    for (const layer of layers) {
      expect(
        sources.filter(({ path }) => path.startsWith(`${layer}/`)).length,
        layer,
      ).to.be.greaterThan(5);
    }
  });

  it('lets each layer import only what its row of the table allows', () => {
    expect(sources.flatMap(violationsOf)).to.deep.equal([]);
  });

  it('has no import cycle between files, type imports included', () => {
    expect(fileCyclesOf(sources).map((cycle) => cycle.join(' → '))).to.deep.equal([]);
  });

  it('has no import cycle between folders, type imports included', () => {
    expect(folderCyclesOf(sources).map((cycle) => cycle.join(' → '))).to.deep.equal([]);
  });

  it('lets only the module that owns a table write it, and no other layer read it', () => {
    const owners = ownersOf(sources);
    expect([...owners.keys()]).to.include.members(entities.map(({ meta }) => meta.tableName));
    expect(sources.flatMap((source) => foreignSqlOf(source, owners))).to.deep.equal([]);
  });

  it('writes each status that money depends on in the store of its table', () => {
    expect(sources.flatMap(foreignStatusWritesOf)).to.deep.equal([]);
  });
});

describe('The checker of the architecture', () => {
  it('finds imports in every form', () => {
    const text = `
import a from './a.ts';
import type { B } from "./b.ts";
import {
  c,
  type D,
} from './c.ts';
export * from './d.ts';
export { e } from './e.ts';
import './f.css';
const g = await import('./g.ts');
type H = import('./h.ts').H;
export const from = 'nowhere';
`;
    expect(importsOf(text)).to.deep.equal([
      './a.ts',
      './b.ts',
      './c.ts',
      './d.ts',
      './e.ts',
      './f.css',
      './g.ts',
      './h.ts',
    ]);
  });

  const broken: [path: string, text: string, part: string][] = [
    [
      'domain/a.ts',
      `import type { Context } from '../config/context.ts';`,
      'domain may not import config',
    ],
    ['domain/a/b.ts', `import { x } from '../../api/app.ts';`, 'domain may not import api'],
    [
      'domain/webhooks/event/a.ts',
      `import type { X } from '../../payments/charge/b.ts';`,
      'module webhooks may not import payments',
    ],
    ['domain/shared/a.ts', `import { x } from '../entities.ts';`, 'shared may not import domain'],
    ['config/a.ts', `import { x } from '../workers/pool.ts';`, 'config may not import workers'],
    ['api/a.ts', `import { x } from '../workers/pool.ts';`, 'api may not import workers'],
    ['workers/a.ts', `import type { X } from '../api/app.ts';`, 'workers may not import api'],
    [
      'scripts/a.ts',
      `import { x } from '../test/support/stack.ts';`,
      'scripts may not import test',
    ],
    ['domain/a.ts', `import express from 'express';`, 'imports express'],
    ['domain/a.ts', `import type { Worker } from 'bullmq';`, 'imports bullmq'],
    ['domain/a.ts', `import { Redis } from 'ioredis';`, 'imports ioredis'],
    ['domain/a.ts', `import { readFile } from 'node:fs/promises';`, 'imports node:fs/promises'],
    ['domain/a.ts', `import { Agent } from 'undici';`, 'imports undici'],
    ['config/a.ts', `import express from 'express';`, 'imports express'],
    ['api/a.ts', `import { Queue } from 'bullmq';`, 'imports bullmq'],
    ['api/a.ts', `import pg from 'pg';`, 'imports pg'],
    ['workers/pools.ts', `import type { Worker } from 'bullmq';`, 'imports bullmq'],
    ['workers/pool.ts', `import express from 'express';`, 'imports express'],
    ['domain/a.ts', 'const now = new Date();', 'new Date()'],
    ['workers/a.ts', 'const now = Date.now();', 'Date.now'],
    ['api/a.ts', 'const one = Math.random();', 'Math.random'],
    ['domain/a.ts', 'const bytes = randomBytes(16);', 'randomBytes('],
    ['domain/a.ts', 'const url = process.env.URL;', 'process.env'],
    ['workers/a.ts', 'const url = process.env.URL;', 'process.env'],
    ['domain/a.ts', 'await fetch(url);', 'fetch('],
    ['domain/a.ts', 'setTimeout(run, 5);', 'setTimeout('],
    ['api/a.ts', `/** ${'word '.repeat(20)}*/`, 'wrapped at 100 columns'],
    ['api/a.ts', `const a = 1; // ${'word '.repeat(20)}`, 'wrapped at 100 columns'],
  ];
  for (const [path, text, part] of broken) {
    it(`refuses ${text} in ${path}`, () => {
      const found = violationsOf({ path, text });
      expect(found).to.have.length(1);
      expect(found[0]).to.include(part);
    });
  }

  const sound: [path: string, text: string][] = [
    [
      'domain/payments/charge/a.ts',
      `import { x } from '../../accounts/token/b.ts';\nimport { createHash } from 'node:crypto';`,
    ],
    ['domain/webhooks/a.ts', `import type { Tx } from '../shared/tx.ts';`],
    ['domain/shared/tx.ts', `import type { Job } from '../jobs.ts';`],
    ['domain/entities.ts', `import { x } from './settlements/a.ts';`],
    ['domain/ids.ts', 'export function newKey(random: Random = randomBytes): string {'],
    ['domain/attempt/a.ts', 'const due = new Date(now.getTime() + 5);'],
    ['domain/providers/adapter/http.ts', `import { Agent } from 'undici';\nawait fetch(url);`],
    ['workers/pool.ts', `import type { Worker } from 'bullmq';`],
    ['workers/main.ts', 'readEnv(process.env)'],
    ['api/a.ts', `// https://shop.example/${'a'.repeat(100)}`],
    ['api/a.ts', `const rule = '${'word '.repeat(20)}';`],
    ['api/a.ts', `import express from 'express';\nimport { x } from '../config/context.ts';`],
    [
      'test/a.test.ts',
      `import { x } from '../scripts/start.ts';\nimport pg from 'pg';\nconst now = new Date();`,
    ],
  ];
  for (const [path, text] of sound) {
    it(`accepts ${text.split('\n').join(' ')} in ${path}`, () => {
      expect(violationsOf({ path, text })).to.deep.equal([]);
    });
  }

  const file = (path: string, ...imports: string[]): Source => ({
    path,
    text: imports.map((name) => `import '${name}';`).join('\n'),
  });

  it('finds cycles of one, two and three files, through type imports too', () => {
    const self = [file('domain/a.ts', './a.ts')];
    const pair = [
      file('domain/a.ts', './b.ts'),
      { path: 'domain/b.ts', text: `import type { A } from './a.ts';` },
    ];
    const three = [
      file('a/x.ts', '../b/y.ts'),
      file('b/y.ts', '../c/z.ts'),
      file('c/z.ts', '../a/x.ts'),
    ];
    const none = [file('a/x.ts', './y.ts', './z.ts'), file('a/y.ts', './z.ts'), file('a/z.ts')];
    expect(fileCyclesOf(self)).to.deep.equal([['domain/a.ts', 'domain/a.ts']]);
    expect(fileCyclesOf(pair)).to.deep.equal([['domain/a.ts', 'domain/b.ts', 'domain/a.ts']]);
    expect(fileCyclesOf(three)).to.have.length(1);
    expect(fileCyclesOf(none)).to.deep.equal([]);
  });

  const captureEntity = {
    path: 'domain/payments/entities/capture.ts',
    text: `table('captures', {`,
  };
  const foreignSqlIn = (path: string, text: string) =>
    foreignSqlOf({ path, text }, ownersOf([captureEntity]));

  const foreignSql: [path: string, text: string][] = [
    ['domain/settlements/a.ts', 'update captures k set settlement_id = $1'],
    ['domain/shared/a.ts', 'insert into captures (id)'],
    ['api/charges/a.ts', 'with claimed as (\n  delete from captures where id = $1)'],
    ['workers/a.ts', 'insert\n  into captures (id)'],
    ['scripts/ops/a.ts', 'update captures set id = $1'],
    ['api/charges/a.ts', 'select id from captures'],
    ['workers/a.ts', 'select 1 from unnest($1) as x (id) join captures k using (id)'],
  ];
  for (const [path, text] of foreignSql) {
    it(`refuses in ${path}: ${text.replace(/\s+/g, ' ')}`, () => {
      expect(foreignSqlIn(path, text)).to.have.length(1);
    });
  }

  it('accepts that a module writes its own tables, and that modules read and lock others', () => {
    expect(foreignSqlIn('domain/payments/a.ts', 'update captures set id = $1')).to.deep.equal([]);
    const read = 'select * from captures k join settlements s using (id) for update of k';
    expect(foreignSqlIn('domain/settlements/a.ts', read)).to.deep.equal([]);
    expect(foreignSqlIn('scripts/bench/a.ts', 'update captures set id = $1')).to.deep.equal([]);
    expect(foreignSqlIn('api/a.ts', '/** Settlements take fees from captures. */')).to.be.empty;
  });

  it('tells a status that is written elsewhere from one that is read', () => {
    const written = (path: string, text: string) => foreignStatusWritesOf({ path, text });
    for (const text of [
      "`update refunds set status = 'failed' where id = $1`",
      '`update charges c\n set settled_at = $1, status = :to\n from line where c.id = line.id`',
    ])
      expect(written('domain/payments/facts/a.ts', text)).to.have.length(1);
    expect(written('workers/a.ts', "`update attempts a set status = 'open'`")).to.have.length(1);
    for (const text of [
      "`update refunds set due_at = $2 where status = 'sending'`",
      "`update links set status = 'paid' where charge in (select id from charges)`",
    ])
      expect(written('domain/payments/facts/a.ts', text)).to.deep.equal([]);
    const own = 'domain/payments/refund/store.ts';
    expect(written(own, '`update refunds set status = $2`')).to.deep.equal([]);
  });

  it('finds folders that import each other through different files', () => {
    const pair = [
      file('a/b/x.ts', '../c/x.ts'),
      file('a/b/y.ts'),
      file('a/c/x.ts'),
      file('a/c/y.ts', '../b/y.ts'),
    ];
    const lists = [
      file('a/list.ts', './b/x.ts'),
      file('a/b/x.ts', '../port.ts'),
      file('a/port.ts'),
    ];
    expect(folderCyclesOf(pair)).to.deep.equal([['a/b', 'a/c', 'a/b']]);
    expect(folderCyclesOf(lists)).to.deep.equal([]);
  });
});
