-- name: archive-origin.add
insert into archive_origin (installation, number)
select @installation, ifnull(max(number), 0) + 1
from archive_origin
returning number
