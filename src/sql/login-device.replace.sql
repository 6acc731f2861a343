-- A device under the hash of its new cookie.
update or replace login_device
set hash = @hash
where hash = @previous
