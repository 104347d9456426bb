// Reloads when the charge's state changes, and goes on to the next address once there is one.
const main = document.querySelector('main');
const { state, statusUrl, next, leadsBack } = main.dataset;

async function watch() {
  try {
    const answer = await fetch(statusUrl, { headers: { accept: 'application/json' } });
    const { status: now } = await answer.json();
    // Not `reload`: a page that the payer reloads leads nowhere by itself.
    if (answer.ok && now !== state) return location.replace(location.href);
  } catch {
    // Offline for a moment: ask again.
  }
  setTimeout(watch, 2000);
}

// `replace`: Back in the browser leads to the merchant, not here, where it would redirect again.
const goOn = () => location.replace(next);

// Who came by Back does not want to be led on, and who reloads a receipt wants to read it.
const visit = performance.getEntriesByType('navigation')[0]?.type;

let leaving;
if (['preparing', 'confirming', 'closing'].includes(state)) setTimeout(watch, 1000);
else if (state === 'ready' && visit !== 'back_forward') setTimeout(goOn, 900);
else if (leadsBack !== undefined && visit === 'navigate') leaving = setTimeout(goOn, 5000);

document.querySelector('[data-print]')?.addEventListener('click', () => {
  clearTimeout(leaving);
  print();
});
