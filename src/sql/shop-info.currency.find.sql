-- The shop's own currency.
select currency
from shop_info
where id = 1
