-- When the shop was last asked about itself.
select checked_at
from shop_info
where id = 1
