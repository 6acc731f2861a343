-- The visitors of a month, as a source counts them that knows them for longer than a day.
select day / 100 as month, count(distinct hash) as visitors
from temp.import_visitor
group by day / 100
