import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';

export const layers = ['domain', 'config', 'api', 'workers', 'scripts', 'test'] as const;
type Layer = (typeof layers)[number];

/** A source file: its path from the root, with forward slashes, and its text. */
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

/** What the rules may stand on: crypto, the ORM's core, ids, phone numbers, canonical JSON, and three builtins that do no I/O as used. */
const rulesPackages = [
  'luxon',
  'node:crypto',
  'node:net',
  'node:util',
  '@mikro-orm/core',
  '@mikro-orm/sql',
  'typeid-js',
  'uuid',
  'libphonenumber-js',
  'canonicalize',
];

/** Drivers belong to config: whoever else imports one goes around the wiring. */
const drivers = /^(bullmq|ioredis|pg|undici|winston|@mikro-orm\/(postgresql|migrations))$/;

/** Whether a file may import a package (`node:crypto`, `express`, `@scope/name`). */
function mayUse(path: string, name: string): boolean {
  switch (layerOf(path)) {
    case 'domain':
      return (
        rulesPackages.includes(name) ||
        (path.startsWith('domain/providers/') &&
          ['undici', 'opossum', 'stream-json'].includes(name))
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

/** What a layer's text must not hold, and why. Comments count too: nobody needs to write these there. */
const forbidden: { in: RegExp; pattern: RegExp; because: string }[] = [
  {
    in: /^(domain|workers|api)\//,
    pattern: /\bnew Date\(\)|\bDate\.now\b/,
    because: 'time comes from the tx or the context',
  },
  {
    in: /^(domain|workers|api)\//,
    pattern: /\bMath\.random\b/,
    because: 'chance comes as an argument',
  },
  {
    in: /^domain\//,
    pattern: /\brandomBytes\(|\brandomUUID\b|\bgetRandomValues\b/,
    because: 'chance is a default argument at most',
  },
  {
    in: /^domain\//,
    pattern: /\bperformance\.now\b|\bset(Timeout|Interval|Immediate)\(/,
    because: 'the rules have no clock of their own',
  },
  {
    in: /^domain\/(?!providers\/)/,
    pattern: /\bfetch\(/,
    because: 'only domain/providers calls the outside',
  },
  // Code that is only printed, inside a template, has a dollar sign that is escaped.
  {
    in: /^(domain|api|workers)\/(?!main\.ts)/,
    pattern: /(?<!\\\$\{)\bprocess\.env\b/,
    because: 'the environment is read once, at the door',
  },
];

/** Every rule a file breaks, one sentence each. */
export function violationsOf({ path, text }: Source): string[] {
  const layer = layerOf(path);
  const imports = importsOf(text).map((specifier) => {
    if (!specifier.startsWith('.')) {
      return mayUse(path, packageOf(specifier))
        ? []
        : [`${path} imports ${specifier}, which ${layer} may not use`];
    }
    const target = resolve(path, specifier);
    return mayImport[layer].includes(layerOf(target))
      ? []
      : [`${path} imports ${target}: ${layer} may not import ${layerOf(target)}`];
  });
  const texts = forbidden.map(({ in: where, pattern, because }) => {
    const found = where.test(path) ? pattern.exec(text)?.[0] : undefined;
    return found === undefined ? [] : [`${path} says ${found}: ${because}`];
  });
  return [...imports, ...texts].flat();
}

/** Every import cycle met, type imports included, as the files on it with the first one repeated at the end. */
export function cyclesOf(sources: readonly Source[]): string[][] {
  const graph = new Map(sources.map(({ path, text }) => [path, relativeImportsOf(path, text)]));
  const cycles: string[][] = [];
  const finished = new Set<string>();
  const visit = (path: string, trail: string[]) => {
    const start = trail.indexOf(path);
    if (start >= 0) return void cycles.push([...trail.slice(start), path]);
    if (finished.has(path)) return;
    for (const next of graph.get(path) ?? []) visit(next, [...trail, path]);
    finished.add(path);
  };
  for (const path of graph.keys()) visit(path, []);
  return cycles;
}

/** `import … from 'x'`, `export … from 'x'`, `import 'x'`, `import('x')`: static ones stand at the start of a line, as Biome formats them. */
const IMPORT =
  /^\s*(?:import|export)\b(?:[^'";]*?\bfrom)?\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm;

/** What a file imports, as it says it. */
export function importsOf(text: string): string[] {
  return [...text.matchAll(IMPORT)].map((match) => match[1] ?? match[2]!);
}

/** Reads every TypeScript file of the layers. */
export async function readSources(root: string): Promise<Source[]> {
  const entries = await Promise.all(
    layers.map((layer) =>
      readdir(join(root, layer), { recursive: true }).then((names) => ({ layer, names })),
    ),
  );
  const paths = entries.flatMap(({ layer, names }) =>
    names.filter((name) => name.endsWith('.ts')).map((name) => join(layer, name)),
  );
  return Promise.all(
    paths.map(async (path) => ({
      path: slashed(path),
      text: await readFile(join(root, path), 'utf8'),
    })),
  );
}

function relativeImportsOf(path: string, text: string): string[] {
  return importsOf(text)
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => resolve(path, specifier));
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
