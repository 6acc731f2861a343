-- A history has no installation; its number gets a random name.
insert into archive_origin (installation, number)
select @installation, ifnull(max(number), 0) + 1
from archive_origin
