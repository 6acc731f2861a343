-- One title of a page on a day, in texts, of what was derived or fetched.
select p.path as path, x.text as title, n.views
from new_title_day n
join page p on p.id = n.page_id
join label x on x.id = n.title_id
order by path, title
