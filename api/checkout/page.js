// Waits with the payer: reloads when the charge's state changes, and goes on to the next address once there is one.
const main = document.querySelector('main');
const { state, statusUrl, next } = main.dataset;

async function watch() {
  try {
    const answer = await fetch(statusUrl, { headers: { accept: 'application/json' } });
    const { status: now } = await answer.json();
    if (answer.ok && now !== state) return location.reload();
  } catch {
    // Offline for a moment: ask again.
  }
  setTimeout(watch, 2000);
}

if (state === 'ready' || state === 'done') setTimeout(() => next && location.assign(next), state === 'ready' ? 900 : 4000);
else if (state !== 'failed' && state !== 'unpaid') setTimeout(watch, 1000);
