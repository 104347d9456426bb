import { Problem } from '../../domain/problems.ts';

/** The refusal of whoever wants to collect where nothing is connected that could. */
export function noProvider(provider: string, mode: string): Problem {
  const wanted = provider === 'auto' ? 'No payment provider is' : `${provider} is not`;
  return new Problem('no_provider', `${wanted} connected in ${mode} mode. Connect one in the dashboard under Settings, Providers.`);
}
