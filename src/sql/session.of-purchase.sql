-- The source of the session whose purchase event carries the order id; the first such event if there are several.
select o.channel, s.campaign_id, s.entry_page_id as landing_page_id
from event e
join label n on n.id = e.name_id and n.text in ('purchase', 'wc_purchase')
join session s on s.id = e.session_id
join origin o on o.id = s.origin_id
where e.order_id = @order_id
order by e.id
limit 1
