// Tells the tracker what a visitor has answered to a consent tool, by the WP Consent API: its category "statistics".
(function () {
	window.footfall =
		window.footfall ||
		function () {
			(footfall.q = footfall.q || []).push(arguments);
		};
	document.addEventListener('wp_listen_for_consent_change', function (event) {
		var answer = (event.detail || {}).statistics;
		if (answer) footfall('consent', answer === 'allow');
	});
	function tell() {
		// Without a consent type nobody is asked, and nothing is answered.
		if (window.wp_has_consent && (window.wp_consent_type || window.wp_fallback_consent_type)) {
			footfall('consent', window.wp_has_consent('statistics'));
		}
	}
	if (document.readyState === 'complete') tell();
	else window.addEventListener('load', tell);
	document.addEventListener('wp_consent_type_defined', tell);
})();
