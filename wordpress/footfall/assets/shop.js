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

	var LINK = 'a[href*="add-to-cart="]';
	// What was clicked last, for shops that add it without leaving the page.
	var chosen = {};
	var last = 0;
	var awaited = 0;
	function pick(product, quantity) {
		var properties = {};
		if (Number(product)) properties.product = Number(product);
		properties.quantity = Number(quantity) || 1;
		return properties;
	}
	function tell(properties) {
		footfall('add_to_cart', properties);
		last = Date.now();
	}
	// The button and the block may each tell of the same click.
	function added() {
		// A form has told when it was sent; a slow shop answers later.
		if (Date.now() - awaited > 30000 && Date.now() - last > 1000) tell(chosen);
		awaited = 0;
		last = Date.now();
	}
	function onClick(event) {
		var target = event.target instanceof Element ? event.target.closest(LINK + ',[data-product_id]') : null;
		if (!target) return;
		var isLink = target.matches(LINK);
		var query = new URLSearchParams(isLink ? target.search : '');
		var data = target.dataset;
		chosen = pick(query.get('add-to-cart') || data.product_id, query.get('quantity') || data.quantity);
		// Where the shop has a script for it, that tells once the product is in the cart.
		if (isLink && event.button < 2 && !(target.matches('.ajax_add_to_cart') && window.wc_add_to_cart_params)) tell(chosen);
	}
	document.addEventListener('click', onClick, true);
	document.addEventListener('auxclick', onClick, true);
	document.addEventListener('submit', function (event) {
		var form = event.target;
		if (!(form instanceof Element && form.matches('form.cart'))) return;
		var data = new FormData(form);
		var button = event.submitter && event.submitter.name === 'add-to-cart' ? event.submitter.value : null;
		chosen = pick(data.get('add-to-cart') || button || data.get('product_id') || shop.product, data.get('quantity'));
		added();
		awaited = Date.now();
	});
	document.addEventListener('wc-blocks_added_to_cart', added);
	if (window.jQuery) window.jQuery(document.body).on('added_to_cart', added);

	// A link from elsewhere, such as a mail: one of this site has told when it was clicked, and a page that is shown again adds nothing.
	var query = new URLSearchParams(location.search);
	var entry = (performance.getEntriesByType && performance.getEntriesByType('navigation')[0]) || {};
	if (query.get('add-to-cart') && (entry.type || 'navigate') === 'navigate' && document.referrer.indexOf(location.origin + '/') !== 0) {
		tell(pick(query.get('add-to-cart'), query.get('quantity')));
	}
})();
