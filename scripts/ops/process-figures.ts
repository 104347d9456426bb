import type { Env } from '../../config/env.ts';
import { basicAuthorization } from '../../config/operators.ts';

type ProcessFigures = { address: string; error: string | null; samples: Sample[] };

type Sample = { name: string; labels: Record<string, string>; value: number };

/** Somebody waits at a terminal. */
const ANSWER_WITHIN_MS = 5_000;

/** Reads `/metrics` of running processes with the operators' credentials. */
export function readProcesses(
  { operator }: Pick<Env, 'operator'>,
  addresses: readonly string[],
): Promise<ProcessFigures[]> {
  const authorization = basicAuthorization(operator);
  return Promise.all(
    addresses.map(async (address) => {
      try {
        const samples = await readSamples(`${address}/metrics`, authorization);
        return { address, error: null, samples };
      } catch (error) {
        const { message, cause } = error as Error & { cause?: { code?: string } };
        return { address, error: cause?.code ?? message, samples: [] };
      }
    }),
  );
}

async function readSamples(url: string, authorization: string): Promise<Sample[]> {
  const answer = await fetch(url, {
    headers: { authorization },
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
  });
  if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
  return samplesIn(await answer.text());
}

/** Label values hold no quotes and no backslashes; what else answers there is made printable. */
function samplesIn(text: string): Sample[] {
  const printable = text.replaceAll(/[^\P{Cc}\n]/gu, '');
  return [...printable.matchAll(/^([a-z_]\w*)(?:\{(.*)\})? (\S+)$/gm)].map(
    ([, name, labels = '', value]) => ({
      name: name!,
      labels: Object.fromEntries(
        [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, label, text]) => [label!, text!]),
      ),
      value: Number(value),
    }),
  );
}

/** Calls, breakers and budgets by provider and mode, of all processes together. */
export function callFigures(processes: readonly ProcessFigures[]) {
  const samples = processes.flatMap((process) => process.samples);
  const ours = samples.filter(({ labels }) => labels.provider !== undefined);
  const groups = Map.groupBy(ours, ({ labels }) => `${labels.provider} ${labels.mode}`);
  return [...groups.values()].map((group) => {
    const { provider = '', mode = '' } = group[0]!.labels;
    const of = (name: string) => group.filter((sample) => sample.name === name);
    const counts = of('pcs_provider_call_seconds_count');
    const outcomes: Record<string, number> = {};
    for (const { labels, value } of counts)
      outcomes[labels.outcome!] = (outcomes[labels.outcome!] ?? 0) + value;
    const open = of('pcs_breakers').filter(({ labels }) => labels.state === 'open');
    const left = of('pcs_provider_budget_left_ratio').map(({ value }) => value);
    const seconds = sum(of('pcs_provider_call_seconds_sum'));
    return {
      provider,
      mode,
      outcomes,
      mean_ms: Math.round((seconds / Math.max(1, sum(counts))) * 1_000),
      open_breakers: Math.max(0, ...open.map(({ value }) => value)),
      lowest_budget_left: Math.min(1, ...left),
    };
  });
}

const sum = (samples: readonly Sample[]) => samples.reduce((total, { value }) => total + value, 0);
