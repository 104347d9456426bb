import { glob, readFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';

export const layers = ['domain', 'config', 'api', 'workers', 'scripts', 'test'] as const;
type Layer = (typeof layers)[number];

export interface Source {
  path: string;
  text: string;
}

/** Which layers each layer may import. The table of STYLE.md. */
const mayImport: Record<Layer, readonly Layer[]> = {
  domain: ['domain'],
  config: ['domain', 'config'],
  api: ['domain', 'config', 'api'],
  workers: ['domain', 'config', 'workers'],
  scripts: ['domain', 'config', 'api', 'workers', 'scripts'],
  test: layers,
};

/**
 * Which modules of `domain` each may import. Files directly in `domain` stand above all of them.
 */
const mayImportModule: Record<string, readonly string[]> = {
  settlements: ['payments', 'journal', 'webhooks', 'providers', 'accounts', 'mail', 'shared'],
  payments: ['journal', 'webhooks', 'providers', 'accounts', 'mail', 'shared'],
  journal: ['accounts', 'shared'],
  webhooks: ['accounts', 'mail', 'shared'],
  providers: ['shared'],
  accounts: ['mail', 'shared'],
  mail: ['shared'],
  shared: [],
};

/** The one file of `domain` outside the modules that each of them may import. */
const JOBS = 'domain/jobs.ts';

/** What `domain` may import: pure libraries, and builtins that do no I/O as they are used. */
const domainPackages = [
  'luxon',
  'node:crypto',
  'node:net',
  'node:util',
  'node:zlib',
  '@mikro-orm/core',
  '@mikro-orm/sql',
  'typeid-js',
  'uuid',
  'libphonenumber-js',
  'canonicalize',
  'otplib',
];

const callingPackages = ['undici', 'opossum', 'node:dns', 'node:http', 'node:stream'];

/** Only `config` opens connections and writes logs. */
const drivers = /^(bullmq|ioredis|pg|undici|winston|@mikro-orm\/(postgresql|migrations))$/;

function mayUse(path: string, name: string): boolean {
  switch (layerOf(path)) {
    case 'domain':
      return (
        domainPackages.includes(name) ||
        (path.startsWith('domain/providers/') && callingPackages.includes(name))
      );
    case 'config':
      return name !== 'express' && !name.startsWith('@bull-board/');
    case 'api':
      return !drivers.test(name);
    case 'workers':
      return name.startsWith('node:') || (name === 'bullmq' && path === 'workers/pool.ts');
    default:
      return true;
  }
}

const forbidden: { in: RegExp; pattern: RegExp; because: string }[] = [
  {
    in: /^(domain|workers|api)\//,
    pattern: /\bnew Date\(\)|\bDate\.now\b/,
    because: 'time comes from the tx or the context',
  },
  {
    in: /^(domain|workers|api)\//,
    pattern: /\bMath\.random\b/,
    because: 'randomness is an argument',
  },
  {
    in: /^domain\//,
    pattern: /\brandomBytes\(|\brandomUUID\b|\bgetRandomValues\b/,
    because: 'randomness is an argument, by default at most',
  },
  {
    in: /^domain\//,
    pattern: /\bperformance\.now\b|\bset(Timeout|Interval|Immediate)\(/,
    because: 'domain has no clock of its own',
  },
  {
    in: /^domain\/(?!providers\/)/,
    pattern: /\bfetch\(/,
    because: 'only domain/providers makes requests',
  },
  // In a template that prints code, the dollar sign before the brace is escaped.
  {
    in: /^(domain|api|workers)\/(?!main\.ts)/,
    pattern: /(?<!\\\$\{)\bprocess\.env\b/,
    because: 'the environment is read once, at the start',
  },
  // The formatter breaks code at 100 columns, but no comments. An address cannot be broken.
  {
    in: /^(domain|config|api|workers|scripts)\//,
    pattern: /^(?=.{101})(?:\s*\/?\*|.*(?:^|\s)\/\/ )(?!.*https?:\/\/).*$/m,
    because: 'comments are wrapped at 100 columns',
  },
];

export function violationsOf({ path, text }: Source): string[] {
  const imports = importsOf(text).flatMap((specifier) =>
    specifier.startsWith('.')
      ? importViolation(path, resolve(path, specifier))
      : packageViolation(path, specifier),
  );
  const texts = forbidden.flatMap(({ in: where, pattern, because }) => {
    const found = where.test(path) ? pattern.exec(text)?.[0] : undefined;
    return found === undefined ? [] : [`${path} contains ${found}: ${because}`];
  });
  return [...imports, ...texts];
}

function packageViolation(path: string, specifier: string): string[] {
  return mayUse(path, packageOf(specifier))
    ? []
    : [`${path} imports ${specifier}, which ${layerOf(path)} may not use`];
}

function importViolation(path: string, target: string): string[] {
  const [from, to] = [layerOf(path), layerOf(target)];
  if (!mayImport[from].includes(to))
    return [`${path} imports ${target}: ${from} may not import ${to}`];
  const [module, other] = [moduleOf(path), moduleOf(target)];
  if (!module || module === other || target === JOBS) return [];
  if (from !== 'domain' || mayImportModule[module]?.includes(other)) return [];
  return [`${path} imports ${target}: module ${module} may not import ${other || 'domain'}`];
}

function moduleOf(path: string): string {
  const parts = path.split('/');
  return parts.length > 2 ? parts[1]! : '';
}

export function ownersOf(sources: readonly Source[]): Map<string, string> {
  const entities = sources.filter(({ path }) => /^domain\/\w+\/entities\//.test(path));
  return new Map(
    entities.flatMap(({ path, text }) =>
      [...text.matchAll(/\btable\('(\w+)'/g)].map(([, table]) => [table!, moduleOf(path)]),
    ),
  );
}

/**
 * One sentence for each statement about a table in a file where it does not belong: a module writes
 * its own tables only, and other layers neither write nor read any. Tests, benchmarks, the audit
 * of a chaos run and the faults of a deployment may.
 */
export function foreignSqlOf({ path, text }: Source, owners: ReadonlyMap<string, string>) {
  if (/^(test|scripts\/(audit|bench|chaos|deployment))\//.test(path)) return [];
  const isDomain = path.startsWith('domain/');
  const tables = `(${[...owners.keys()].join('|')})\\b`;
  const write = new RegExp(`\\b(?:insert\\s+into|update|delete\\s+from)\\s+${tables}`, 'g');
  const read = new RegExp(`\\bselect\\b[^\`;]*?\\b(?:from|join)\\s+${tables}`, 'g');
  const written = [...text.matchAll(write)].filter(
    ([, table]) => !isDomain || owners.get(table!) !== moduleOf(path),
  );
  const found = isDomain ? written : [...written, ...text.matchAll(read)];
  return found.map(([, table]) => {
    const allowed = isDomain ? 'writes' : 'has SQL about';
    return `${path}: only domain/${owners.get(table!)} ${allowed} ${table}`;
  });
}

const statusWriters: Record<string, string> = {
  attempts: 'attempt',
  captures: 'capture',
  charges: 'charge',
  dispute_responses: 'dispute-response',
  disputes: 'dispute',
  refunds: 'refund',
  reviews: 'review',
};

export function foreignStatusWritesOf({ path, text }: Source): string[] {
  if (!/^(domain|workers|api|config)\//.test(path)) return [];
  const tables = Object.keys(statusWriters).join('|');
  const write = new RegExp(`\\bupdate\\s+(${tables})\\b[^;\`]*?\\bset\\b([^;\`]*)`, 'g');
  return [...text.matchAll(write)].flatMap(([, table, rest]) => {
    const writer = `domain/payments/${statusWriters[table!]}/store.ts`;
    const set = rest!.split(/\b(?:where|from|returning)\b/)[0]!;
    const isForeign = /(?<![.\w])status\s*=(?!=)/.test(set) && path !== writer;
    return isForeign ? [`${path}: only ${writer} writes the status of ${table}`] : [];
  });
}

export function fileCyclesOf(sources: readonly Source[]): string[][] {
  return cyclesOf(importGraph(sources, (path) => path));
}

/**
 * Every cycle of imports between folders, type imports included. A folder that holds other folders
 * counts file by file: its files may list those folders, and serve them.
 */
export function folderCyclesOf(sources: readonly Source[]): string[][] {
  const holders = new Set(sources.map(({ path }) => dirname(dirname(path))));
  const nodeOf = (path: string) => (holders.has(dirname(path)) ? path : dirname(path));
  const graph = importGraph(sources, nodeOf);
  for (const [node, imported] of graph) imported.delete(node);
  return cyclesOf(graph);
}

type Graph = Map<string, Set<string>>;

function importGraph(sources: readonly Source[], nodeOf: (path: string) => string): Graph {
  const graph: Graph = new Map();
  for (const { path, text } of sources) {
    const imported = graph.get(nodeOf(path)) ?? new Set();
    graph.set(nodeOf(path), imported);
    for (const specifier of importsOf(text))
      if (specifier.startsWith('.')) imported.add(nodeOf(resolve(path, specifier)));
  }
  return graph;
}

function cyclesOf(graph: Graph): string[][] {
  const cycles: string[][] = [];
  const finished = new Set<string>();
  const visit = (node: string, trail: string[]) => {
    const start = trail.indexOf(node);
    if (start >= 0) return void cycles.push([...trail.slice(start), node]);
    if (finished.has(node)) return;
    for (const next of graph.get(node) ?? []) visit(next, [...trail, node]);
    finished.add(node);
  };
  for (const node of graph.keys()) visit(node, []);
  return cycles;
}

/**
 * `import … from 'x'`, `export … from 'x'`, `import 'x'`, `import('x')`: static ones stand at the
 * start of a line, as Biome formats them.
 */
const IMPORT =
  /^\s*(?:import|export)\b(?:[^'";]*?\bfrom)?\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm;

export function importsOf(text: string): string[] {
  return [...text.matchAll(IMPORT)].map((match) => match[1] ?? match[2]!);
}

export async function readSources(root: string): Promise<Source[]> {
  const paths = await Array.fromAsync(glob(`{${layers}}/**/*.ts`, { cwd: root }));
  const read = async (path: string) => ({
    path: slashed(path),
    text: await readFile(join(root, path), 'utf8'),
  });
  return Promise.all(paths.map(read));
}

function resolve(path: string, specifier: string): string {
  return slashed(normalize(join(dirname(path), specifier)));
}

function slashed(path: string): string {
  return path.replaceAll('\\', '/');
}

function layerOf(path: string): Layer {
  return path.slice(0, path.indexOf('/')) as Layer;
}

function packageOf(specifier: string): string {
  const parts = specifier.split('/');
  return specifier.startsWith('@') ? parts.slice(0, 2).join('/') : parts[0]!;
}
