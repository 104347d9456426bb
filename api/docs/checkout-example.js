// Shows what the checkout script reports to the example of the reference.
document.addEventListener('payment-checkout', ({ detail }) => {
  document.getElementById('example-outcome').textContent = JSON.stringify(detail, null, 2);
});
