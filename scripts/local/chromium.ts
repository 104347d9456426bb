import { existsSync } from 'node:fs';

/** The shell has no window around a page to draw: it costs about half of what the browser does. */
const PATHS = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** CHROMIUM, or Chromium where distributions put it; undefined: there is none. */
export function findChromium(): string | undefined {
  return [process.env.CHROMIUM, ...PATHS].find((path) => path && existsSync(path));
}
