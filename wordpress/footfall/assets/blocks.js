// The two blocks in the editor: their choices, and what the server makes of them.
(function (wp) {
	var el = wp.element.createElement;
	var about = window.footfallBlocks;
	var text = about.texts;
	var components = wp.components;
	function choose(props, name, label, options) {
		return el(components.SelectControl, {
			key: name,
			label: label,
			value: props.attributes[name],
			options: options,
			onChange: setter(props, name),
			__nextHasNoMarginBottom: true,
			__next40pxDefaultSize: true,
		});
	}
	function toggle(props, name, label) {
		return el(components.ToggleControl, {
			key: name,
			label: label,
			checked: props.attributes[name],
			onChange: setter(props, name),
			__nextHasNoMarginBottom: true,
		});
	}
	function setter(props, name) {
		return function (value) {
			var change = {};
			change[name] = value;
			props.setAttributes(change);
		};
	}
	function Nothing() {
		return el('p', {}, about.allowed ? text.nothing : text.forbidden);
	}
	function register(name, controls) {
		wp.blocks.registerBlockType('footfall/' + name, {
			edit: function (props) {
				var post = (props.context || {}).postId;
				return el(
					'div',
					wp.blockEditor.useBlockProps(),
					el(
						wp.blockEditor.InspectorControls,
						{},
						el(components.PanelBody, {}, [choose(props, 'period', text.period, about.periods)].concat(controls(props))),
					),
					el(
						components.Disabled,
						{},
						el(wp.serverSideRender, {
							block: 'footfall/' + name,
							attributes: props.attributes,
							skipBlockSupportAttributes: true,
							urlQueryArgs: post ? { post_id: post } : {},
							EmptyResponsePlaceholder: Nothing,
						}),
					),
				);
			},
			save: function () {
				return null;
			},
		});
	}
	register('views', function () {
		return [];
	});
	register('popular', function (props) {
		return [
			el(components.RangeControl, {
				key: 'number',
				label: text.number,
				value: props.attributes.number,
				min: 1,
				max: about.most,
				onChange: setter(props, 'number'),
				__nextHasNoMarginBottom: true,
				__next40pxDefaultSize: true,
			}),
			choose(props, 'type', text.type, about.types),
			toggle(props, 'thumbnails', text.thumbnails),
			toggle(props, 'views', text.views),
		];
	});
})(window.wp);
