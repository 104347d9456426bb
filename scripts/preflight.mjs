// Runs before `npm start` and `npm test`, on whatever Node there is: plain JavaScript of Node 14.
import { existsSync } from 'node:fs';

const wanted = 24;
const running = Number(process.versions.node.split('.')[0]);

function complaint() {
  if (!existsSync(new URL('../node_modules', import.meta.url)))
    return 'The packages are not installed: run `npm ci` first.';
  if (running >= wanted) return undefined;
  return `This needs Node ${wanted}, and Node ${process.versions.node} is running: the npm package "node" brings Node ${wanted}, but its install script did not run, so run \`npm ci\` again with install scripts allowed, or use Node ${wanted}.`;
}

const sentence = complaint();
if (sentence) {
  console.error(sentence);
  process.exitCode = 1;
}
