-- The link with this hash.
select uuid, hash, name, filters, password_hash
from share_link
where hash = @hash
