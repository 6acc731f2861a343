-- When the shop's information was last fetched.
select checked_at
from shop_info
where id = 1
