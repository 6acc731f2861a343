-- The shop's currency.
select currency
from shop_info
where id = 1
