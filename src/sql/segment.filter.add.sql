insert into temp.active_filter (filter, included)
values (@filter, @included)
