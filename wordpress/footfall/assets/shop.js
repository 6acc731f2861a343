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
	// The button, the form and the block may each tell of the same click.
	function added() {
		if (Date.now() - last > 1000) footfall('add_to_cart');
		last = Date.now();
	}
	document.addEventListener('submit', function (event) {
		if (event.target instanceof Element && event.target.matches('form.cart')) added();
	});
	document.addEventListener('wc-blocks_added_to_cart', added);
	if (window.jQuery) window.jQuery(document.body).on('added_to_cart', added);
})();
