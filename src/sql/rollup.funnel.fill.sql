-- One stage that sessions reached on the day, of those that have new events; an event's name with wc_ before it means the same.
insert into new_funnel_day (day, stage, sessions)
select @day, replace(n.text, 'wc_', '') as stage, count(distinct e.session_id)
from event e
cross join label n on n.id = e.name_id
where e.id >= @first_view_id
  and e.id < @next_view_id
  and e.session_id is not null
  and n.text in ('product_view', 'add_to_cart', 'checkout_start', 'wc_product_view', 'wc_add_to_cart', 'wc_checkout_start')
  and replace(n.text, 'wc_', '') in (
    select replace(l.text, 'wc_', '')
    from day_event d
    join label l on l.id = d.name_id
  )
group by replace(n.text, 'wc_', '')
