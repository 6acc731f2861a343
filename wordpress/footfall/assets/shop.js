// The stages of a purchase: seen in the browser, so that a page cache hides none of them.
(function () {
	window.footfall =
		window.footfall ||
		function () {
			(footfall.q = footfall.q || []).push(arguments);
		};
	var shop = window.footfallShop || {};
	if (shop.product) footfall('product_view', { product: shop.product });
	if (shop.checkout) footfall('checkout_start');
	if (shop.order) footfall('purchase', {}, { order_id: shop.order, value: shop.value });

	var last = 0;
	var awaited = 0;
	// The button and the block may each tell of the same click.
	function added() {
		// A form has told when it was sent; a slow shop answers later.
		if (Date.now() - awaited > 30000 && Date.now() - last > 1000) footfall('add_to_cart');
		awaited = 0;
		last = Date.now();
	}
	document.addEventListener('submit', function (event) {
		if (!(event.target instanceof Element && event.target.matches('form.cart'))) return;
		added();
		awaited = Date.now();
	});
	document.addEventListener('wc-blocks_added_to_cart', added);
	if (window.jQuery) window.jQuery(document.body).on('added_to_cart', added);
})();
