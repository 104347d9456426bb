// Reports the outcome to the page that opened this window, if that page is of the stored origin.
// Once that page says that it has it, the window closes: no other page learns of the outcome.
(() => {
  const { opener } = window;
  if (!opener) return;
  const { origin, checkout, reference, status } = document.currentScript.dataset;
  const type = 'payment-checkout';
  /** Time to read how it went. */
  const closeAfter = 2500;
  window.addEventListener('message', ({ source, origin: from, data }) => {
    if (source !== opener || from !== origin) return;
    if (!data || data.type !== type || data.checkout !== checkout || !data.received) return;
    const leaving = setTimeout(() => window.close(), closeAfter);
    window.addEventListener('beforeprint', () => clearTimeout(leaving));
  });
  opener.postMessage({ type, checkout, reference, status }, origin);
})();
