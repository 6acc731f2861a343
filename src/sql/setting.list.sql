-- One setting that differs from its default, its value as JSON.
select name, value
from setting
order by name
