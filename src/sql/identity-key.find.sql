-- The secret key of this installation.
select value
from installation
where name = 'identity_key'
