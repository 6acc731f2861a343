-- A page that the CMS has described without its host becomes that of the first host with a view of it.
update page
set host_id = @host_id
where path = @path
  and host_id = 0
