-- How many coupons the list has.
select count(distinct r.key) as rows
from json_each(@periods) p
cross join revenue_period r
where r.kind = 'coupon'
  and r.currency = @currency
  and r.period = p.value
