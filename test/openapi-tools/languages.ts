import { cp, symlink } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { generators } from '../../api/docs/generators.ts';
import { command, type Variables } from './tools.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const programs = join(import.meta.dirname, 'programs');

export interface Language {
  /** Brings what the client needs beyond the language. Rejects where that cannot be had. */
  fetch: (client: string) => Promise<unknown>;
  /** Compiles the client with its program, as strictly as the language can. */
  build: (client: string) => Promise<unknown>;
  /** What the program printed. */
  run: (client: string, variables: Variables) => Promise<string>;
}

const maven = (cwd: string, ...options: string[]) => command(cwd, 'mvn', ['-q', '-B', ...options]);

export const languages: Record<keyof typeof generators, Language> = {
  typescript: {
    fetch: async (client) => symlink(join(root, 'node_modules'), join(client, 'node_modules')),
    async build(client) {
      await cp(join(programs, 'shop.ts.txt'), join(client, 'shop.ts'));
      const options =
        '--strict --target es2022 --module commonjs --moduleResolution bundler --types node ' +
        '--outDir built shop.ts';
      await command(client, join(root, 'node_modules/.bin/tsc'), options.split(' '));
    },
    run: (client, variables) => command(client, process.execPath, ['built/shop.js'], variables),
  },
  java: {
    fetch: (client) =>
      maven(client, 'dependency:build-classpath', '-Dmdep.outputFile=classpath.txt'),
    async build(client) {
      await cp(join(programs, 'Shop.java'), join(client, 'src/main/java/Shop.java'));
      const script =
        'find src/main/java -name "*.java" > sources.txt && ' +
        'javac -nowarn -encoding UTF-8 -d built -cp "$(cat classpath.txt)" @sources.txt';
      await command(client, 'sh', ['-c', script]);
    },
    run: (client, variables) =>
      command(client, 'sh', ['-c', 'java -cp "built:$(cat classpath.txt)" Shop'], variables),
  },
  go: {
    fetch: (client) => command(client, 'go', ['mod', 'download']),
    async build(client) {
      await cp(join(programs, 'shop.go'), join(client, 'shop/main.go'));
      await command(client, 'go', ['vet', '.', './shop']);
      await command(client, 'go', ['build', '-o', 'built', './shop']);
    },
    run: (client, variables) => command(client, './built', [], variables),
  },
  python: {
    fetch: (client) =>
      command(client, 'python3', [
        ...['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'],
        ...['--target', 'built', '-r', 'requirements.txt'],
      ]),
    async build(client) {
      await cp(join(programs, 'shop.py'), join(client, 'shop.py'));
      await command(client, 'python3', ['-m', 'compileall', '-q', 'openapi_client', 'shop.py']);
    },
    run: (client, variables) =>
      command(client, 'python3', ['shop.py'], {
        ...variables,
        PYTHONPATH: ['built', '.'].join(delimiter),
      }),
  },
  php: {
    fetch: (client) => command(client, 'php', ['-r', `require '${GUZZLE}';`]),
    async build(client) {
      await cp(join(programs, 'shop.php'), join(client, 'shop.php'));
      const lint = 'find lib shop.php -name "*.php" -print0 | xargs -0 -n 1 php -l';
      await command(client, 'sh', ['-c', lint]);
    },
    run: (client, variables) => command(client, 'php', ['shop.php'], { ...variables, GUZZLE }),
  },
};

/** Where Debian puts it: packages of PHP have no registry here. */
const GUZZLE = '/usr/share/php/GuzzleHttp/autoload.php';

/** Brings the generator into Maven's own cache. Rejects where it cannot be had. */
export async function fetchGenerator(cwd: string, version: string): Promise<string> {
  const artifact = `org.openapitools:openapi-generator-cli:${version}`;
  await maven(cwd, 'dependency:copy', `-Dartifact=${artifact}`, `-DoutputDirectory=${cwd}`);
  return join(cwd, `openapi-generator-cli-${version}.jar`);
}
